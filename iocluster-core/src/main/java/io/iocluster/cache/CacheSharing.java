package io.iocluster.cache;

/** Who may get responses to the calls of others. */
public enum CacheSharing {
    /** Calls with different credentials. */
    CREDENTIALS,
    /** Calls of different apps. */
    APPS
}
