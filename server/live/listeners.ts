import type { LiveTopic } from '#contract/live/live-rules.ts';
import type { Listener } from './listener.ts';

/** The sockets of this process that are told what happens. */
export class Listeners {
  readonly #ofMembers = new Map<bigint, Set<Listener>>();

  add(listener: Listener): void {
    const own = this.#ofMembers.get(listener.memberId);
    if (own === undefined) this.#ofMembers.set(listener.memberId, new Set([listener]));
    else own.add(listener);
  }

  remove(listener: Listener): void {
    const own = this.#ofMembers.get(listener.memberId);
    if (own?.delete(listener) && own.size === 0) this.#ofMembers.delete(listener.memberId);
  }

  get isEmpty(): boolean {
    return this.#ofMembers.size === 0;
  }

  get memberIds(): bigint[] {
    return [...this.#ofMembers.keys()];
  }

  all(): Listener[] {
    return [...this.#ofMembers.values()].flatMap((own) => [...own]);
  }

  of(memberId: bigint): readonly Listener[] {
    return [...(this.#ofMembers.get(memberId) ?? [])];
  }

  ofTopic(topic: LiveTopic): Listener[] {
    return this.all().filter((listener) => listener.wants(topic));
  }
}
