package io.iocluster.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Makes event loops: epoll's where there is epoll, the JDK's elsewhere. async-http-client takes these two kinds of group
 * only, and refuses netty's newer common one.
 */
public final class EventLoops {

    private EventLoops() {}

    /** A group of one daemon thread with this name. */
    @SuppressWarnings("deprecation") // The classes that async-http-client asks for by name.
    public static EventLoopGroup single(String threadName) {
        DefaultThreadFactory threads = new DefaultThreadFactory(threadName, true);
        return Epoll.isAvailable() ? new EpollEventLoopGroup(1, threads) : new NioEventLoopGroup(1, threads);
    }
}
