import CSSPropertyManager from 'happy-dom/lib/css/declaration/property-manager/CSSPropertyManager.js';
import * as React from 'react';

/**
 * What rendering and looking for roles cost beside their work, a third of the time of tests of pages: React keeps a stack
 * for each element it makes, as long as it counts fewer than ten thousand lately; and the window, asked for the style of an
 * element, copies that of each one around it by `structuredClone`.
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
  // Which names are there is copied as well, and private.
  const { definedPropertyNames } = this as unknown as { definedPropertyNames: object };
  return Object.assign(copy, {
    properties: Object.fromEntries(properties),
    definedPropertyNames: { ...definedPropertyNames },
  });
};
