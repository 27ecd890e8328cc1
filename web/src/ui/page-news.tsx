import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';

/** Tells screen readers which page a link led to: loading a page does, changing it by script does not. */
export function PageNews() {
  const [title, setTitle] = useState('');
  useEffect(() => {
    const observer = new MutationObserver(() => setTitle(document.title));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  // It can be what a member wrote, such as the subject of a query.
  return (
    <VisuallyHidden role="status" translate="no">
      {title}
    </VisuallyHidden>
  );
}
