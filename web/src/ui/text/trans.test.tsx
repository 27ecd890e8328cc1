import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Trans } from './trans.tsx';

test('elements stand where the text has them, one in another, and what is none stays text', () => {
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
