import type { TestProject } from 'vitest/node';

/** A place for the browser's world, which begins empty: nobody waits for a demo world. */
export default function setup(project: TestProject): void {
  const [postgresUrl] = project.getProvidedContext().postgresUrls;
  project.provide('demoPlace', { folder: '', postgresUrl: postgresUrl as string });
}
