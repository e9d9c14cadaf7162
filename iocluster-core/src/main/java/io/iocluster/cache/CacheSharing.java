package io.iocluster.cache;

/** What may differ between calls that share a response. */
public enum CacheSharing {
    /** Calls with different credentials. */
    CREDENTIALS,
    /** Calls of different apps. */
    APPS
}
