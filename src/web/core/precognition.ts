// Stands in for laravel-precognition (vite.config.ts): Inertia's core sets two names of its client, and its adapter's form kit, which is
// not used here, imports the rest.
export const client = { withXsrfCookieName() {}, withXsrfHeaderName() {} }
export const createValidator = null
export const resolveMethod = null
export const resolveName = null
export const resolveUrl = null
export const toSimpleValidationErrors = null
