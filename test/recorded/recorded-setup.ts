import type { TestProject } from 'vitest/node';

/** An empty place for the browser's world, without a demo world to wait for. */
export default function setup(project: TestProject): void {
  const [postgresUrl] = project.getProvidedContext().postgresUrls;
  project.provide('demoPlace', { folder: '', postgresUrl: postgresUrl as string });
}
