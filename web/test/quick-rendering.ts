import CSSPropertyManager from 'happy-dom/lib/css/declaration/property-manager/CSSPropertyManager.js';
import * as React from 'react';

/**
 * Avoids overhead that is a third of the time of page tests: React captures a stack for each element while its recent
 * count is below ten thousand, and the window copies the styles of all ancestors with `structuredClone` each time it
 * computes an element's style.
 */
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Record<
  string,
  object
>;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => {},
  configurable: true,
});

CSSPropertyManager.prototype.clone = function (this: CSSPropertyManager) {
  const copy = new CSSPropertyManager();
  const properties = Object.entries(this.properties).map(([name, property]) => [name, { ...property }]);
  // The set of property names is private, and copied too.
  const { definedPropertyNames } = this as unknown as { definedPropertyNames: object };
  return Object.assign(copy, {
    properties: Object.fromEntries(properties),
    definedPropertyNames: { ...definedPropertyNames },
  });
};
