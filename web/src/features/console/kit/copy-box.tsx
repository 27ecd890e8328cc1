import { CopyIcon } from '../../../ui/forms/copy-button.tsx';
import { GroupedText, TextBox } from '../../../ui/text/text-box.tsx';

type CopyBoxProps = {
  value: string;
  /** What is copied: `address`, `key`. */
  what: string;
};

/** A long text in groups of four for whoever compares it; what is copied from it has no gaps. */
export const CopyBox = ({ value, what }: CopyBoxProps) => (
  <TextBox copy={<CopyIcon value={value} what={what} />}>
    <GroupedText>{value}</GroupedText>
  </TextBox>
);
