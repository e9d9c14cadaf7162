package io.iocluster.upstream;

/** What an attempt says about its upstream. */
public enum UpstreamResult {
    /** The upstream answered. */
    SUCCESS,
    /** The upstream failed. */
    FAILURE,
    /**
     * The attempt would have taken longer: the caller cancelled it, for example because a second one was faster, or its timeout was short. It
     * is no failure.
     */
    UNFINISHED,
    /** The attempt says nothing about the upstream. */
    IGNORED
}
