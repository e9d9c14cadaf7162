package io.iocluster.door.config;

/** Which requests the access log contains. */
public enum AccessLogPolicy {
    OFF,
    /** Requests that were answered with a status of 400 or more. */
    ERRORS,
    ALL
}
