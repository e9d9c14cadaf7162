package io.iocluster.upstream;

/** What an attempt says about its upstream. */
public enum UpstreamResult {
    /** The upstream answered. */
    SUCCESS,
    /** The upstream failed. */
    FAILURE,
    /** The caller cancelled the attempt, for example because a second one was faster. It would have taken longer. */
    CANCELLED,
    /** The attempt says nothing about the upstream. */
    IGNORED
}
