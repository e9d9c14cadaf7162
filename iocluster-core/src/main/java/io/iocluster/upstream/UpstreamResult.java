package io.iocluster.upstream;

/** What an attempt says about its upstream. */
public enum UpstreamResult {
    /** The upstream answered. */
    SUCCESS,
    /** The upstream failed. */
    FAILURE,
    /** The attempt says nothing about the upstream, for example because the caller cancelled it. */
    IGNORED
}
