/** The release that writes events and serves commands. */
export const RELEASE = '0.1.0'
