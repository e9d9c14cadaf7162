package io.iocluster.http;

/**
 * Where the last attempt of a call connected to, so that the next one, or a second one at the same time, can go elsewhere. One for each call.
 * Thread-safe.
 */
public final class UpstreamHistory {

    private volatile UpstreamAddress last;

    /** Returns the upstream of the last attempt; null before the first. */
    public UpstreamAddress last() {
        return last;
    }

    /** Records the upstream of an attempt that starts. */
    public void add(UpstreamAddress upstream) {
        last = upstream;
    }
}
