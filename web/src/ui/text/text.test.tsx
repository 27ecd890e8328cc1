import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shorten, Trans } from './text.tsx';

test('long text shows its first and last characters, short text all of them', () => {
  expect(shorten('TKq8mZ4vRw2Xc7Nd9LhPb5Ys3FgJt6QeAu')).toBe('TKq8…QeAu');
  expect(shorten('0xF3f56A64b6a98A6b975cD19c23da68b847219b64', 8)).toBe('0xF3f56A…47219b64');
  expect(shorten('TKq8mZ4vRw2X')).toBe('TKq8mZ4vRw2X');
});

test('elements are placed where the text has them, nested if needed; unknown tags stay text', () => {
  const { container } = render(
    <Trans
      text="Hello <name/>: read <terms>the <b>terms</b></terms>, <who/> & <script>1</script>."
      name={<i>Anika</i>}
      terms={(inner) => <a href="/terms">{inner}</a>}
      b={(inner) => <b>{inner}</b>}
    />,
  );
  expect(container.innerHTML).toBe(
    'Hello <i>Anika</i>: read <a href="/terms">the <b>terms</b></a>, &lt;who/&gt; &amp; &lt;script&gt;1&lt;/script&gt;.',
  );
});
