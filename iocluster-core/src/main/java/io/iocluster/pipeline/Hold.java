package io.iocluster.pipeline;

/**
 * A worker's hold on calls, compared by identity. Each worker has one for calls that wait for their attempt and one for calls whose
 * attempt has begun, so that one compare-and-set decides between the start of an attempt and the removal of the call. Immutable.
 */
final class Hold {

    private final Worker worker;

    Hold(Worker worker) {
        this.worker = worker;
    }

    Worker worker() {
        return worker;
    }
}
