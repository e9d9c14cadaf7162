package io.iocluster.pipeline;

/** Creates workers, each with its own event loop and HTTP executor. */
@FunctionalInterface
interface WorkerFactory {

    Worker create(String name);
}
