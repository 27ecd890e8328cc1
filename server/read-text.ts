class ResponseTooLong extends Error {
  override readonly name = 'ResponseTooLong';
}

/** Far above every honest reply. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The text of another server's response, up to a size: a compressed one of some megabytes can unpack to gigabytes, and
 * could end the process.
 *
 * @throws ResponseTooLong for a longer one, or an error when the connection breaks
 */
export async function readText(response: Response, most = MOST_BYTES): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > most) throw new ResponseTooLong(`the response is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
