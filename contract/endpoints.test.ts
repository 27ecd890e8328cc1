import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './index.ts';

const rows: readonly Endpoint[] = Object.values(endpoints).flatMap((group) => Object.values(group));

test('no reply schema transforms its input, so that replies can be parsed where they are written', () => {
  const shapes = rows.flatMap(({ data }) => data ?? []);
  expect(shapes.length).toBeGreaterThan(100);
  // A schema with a transform or a default has two JSON Schema forms, or none.
  for (const data of shapes)
    expect(z.toJSONSchema(data, { io: 'output' })).toEqual(z.toJSONSchema(data, { io: 'input' }));
  expect(() => z.toJSONSchema(z.string().transform(Number), { io: 'output' })).toThrow(
    'Transforms cannot be represented',
  );
});
