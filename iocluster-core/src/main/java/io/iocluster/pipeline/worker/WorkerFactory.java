package io.iocluster.pipeline.worker;

/** Creates workers, each with its own event loop and HTTP executor. */
@FunctionalInterface
public interface WorkerFactory {

    Worker create(String name);
}
