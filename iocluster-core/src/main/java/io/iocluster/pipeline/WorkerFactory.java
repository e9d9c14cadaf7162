package io.iocluster.pipeline;

/** Makes workers, each with an event loop and an HTTP executor of its own. */
@FunctionalInterface
interface WorkerFactory {

    Worker create(String name);
}
