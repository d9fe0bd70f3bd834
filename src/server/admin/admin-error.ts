/** A verb refused: its message is the one line that the operator reads. */
export class AdminError extends Error {}
