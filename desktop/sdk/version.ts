export const SDK_VERSION = 1
