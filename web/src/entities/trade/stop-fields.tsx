import { Flex, TextInput } from '@mantine/core';
import classes from './stops.module.css';
import { type StopDraft, type StopErrors, type StopKind, stopKinds, stopNames } from './stops.ts';

type StopFieldsProps = {
  draft: StopDraft;
  errors: StopErrors;
  onChange: (kind: StopKind, value: string) => void;
  /** What each stop does and at which price, in a sentence. */
  sentenceOf: (kind: StopKind) => string;
};

/** Stop-loss, take-profit and trailing stop in percent; an empty field is none. */
export function StopFields({ draft, errors, onChange, sentenceOf }: StopFieldsProps) {
  return (
    <Flex direction="column" gap={12}>
      {stopKinds.map((kind) => (
        <div key={kind} className={classes.field}>
          <TextInput
            label={stopNames[kind]}
            size="md"
            className={classes.input ?? ''}
            classNames={{ error: classes.error }}
            placeholder="none"
            // A stops dialog starts here and not at its close button.
            data-autofocus={kind === stopKinds[0] || undefined}
            inputMode="decimal"
            autoComplete="off"
            rightSection="%"
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            value={draft[kind]}
            onChange={(event) => onChange(kind, event.currentTarget.value)}
            error={errors[kind]}
            description={sentenceOf(kind)}
          />
        </div>
      ))}
    </Flex>
  );
}
