import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|svg|html|json)$/;
/** Below this the headers weigh more than what is saved. */
const SMALLEST_BYTES = 1024;

/** Writes .br and .gz beside each text file, so that the server sends them without any work of its own. */
export function compress(): Plugin {
  return {
    name: 'compress',
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        // index.html is completed by the server when it is sent, so it has no compressed twin.
        if (!COMPRESSIBLE.test(output.fileName) || output.fileName.endsWith('index.html')) continue;
        const source = Buffer.from(output.type === 'chunk' ? output.code : output.source);
        if (source.length < SMALLEST_BYTES) continue;
        this.emitFile({ type: 'asset', fileName: `${output.fileName}.gz`, source: gzipSync(source, { level: 9 }) });
        this.emitFile({ type: 'asset', fileName: `${output.fileName}.br`, source: brotliCompressSync(source) });
      }
    },
  };
}
