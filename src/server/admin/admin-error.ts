/** A refused verb. Its message is the one line that the operator reads. */
export class AdminError extends Error {}
