import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation of a form that is left once it went well, for what moves money: one press, one call. From the press on it
 * takes no other, not while it runs and not while the form is still on screen after it (its dialog fades out, the code
 * of the next page loads). A failure frees it. It counts as pending until the form is gone.
 */
export function useOnce<Data, Values>(options: UseMutationOptions<Data, Error, Values>) {
  // Not a state: a second click may come before the first one is rendered.
  const isSpent = useRef(false);
  const { mutate, isPending, isSuccess } = useMutation({
    ...options,
    onError: (...failed) => {
      isSpent.current = false;
      return options.onError?.(...failed);
    },
  });
  return {
    isPending: isPending || isSuccess,
    mutate: (values: Values, callbacks?: MutateOptions<Data, Error, Values>) => {
      if (isSpent.current) return;
      isSpent.current = true;
      mutate(values, callbacks);
    },
  };
}
