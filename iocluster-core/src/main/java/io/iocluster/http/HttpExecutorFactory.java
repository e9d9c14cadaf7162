package io.iocluster.http;

import io.netty.channel.EventLoopGroup;

/** Makes the executor of one event loop. */
@FunctionalInterface
public interface HttpExecutorFactory {

    /**
     * An executor with connections of its own.
     *
     * @param loop a group of exactly one event loop, which the caller ends after it has closed the executor
     */
    HttpExecutor create(EventLoopGroup loop);
}
