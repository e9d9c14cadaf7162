package io.iocluster.pipeline;

import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;

/** Creates the event loop of each worker. Thread-safe. */
@FunctionalInterface
public interface WorkerLoops {

    /** Creates event loops that wait for the sockets of the operating system, each on a daemon thread. */
    WorkerLoops SYSTEM =
            worker -> NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("iocluster-" + worker, true));

    /** Creates a group of exactly one event loop. The caller shuts it down. */
    EventLoopGroup newLoop(String worker);
}
