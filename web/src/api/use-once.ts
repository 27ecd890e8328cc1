import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation for a form that closes on success, for what moves money: one press, one call. After the first press it
 * ignores others, both while the call runs and while the form is still on screen afterwards (its dialog fades out, the
 * next page's code loads). A failure re-enables it. It counts as pending until the form has unmounted.
 */
export function useOnce<Data, Values>(options: UseMutationOptions<Data, Error, Values>) {
  // A ref and not state: a second click may arrive before the first one is rendered.
  const isSpent = useRef(false);
  const { mutate, isPending, isSuccess, error } = useMutation({
    ...options,
    onError: (...failed) => {
      isSpent.current = false;
      return options.onError?.(...failed);
    },
  });
  return {
    isPending: isPending || isSuccess,
    error,
    mutate: (values: Values, callbacks?: MutateOptions<Data, Error, Values>) => {
      if (isSpent.current) return;
      isSpent.current = true;
      mutate(values, callbacks);
    },
  };
}
