package io.iocluster.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.nio.AbstractNioChannel.NioUnsafe;

/** An open connection to a target, over HTTP/1.1 or HTTP/2. Confined to its event loop. */
public abstract class HttpConnection {

    /**
     * Maximum bytes besides the body of a response, as a multiple of {@code http.max-response-headers}: its head, trailers, and interim
     * responses, with which some targets report the progress of a long call.
     */
    public static final int MAX_HEADS = 4;

    public static final String TOO_MANY_BYTES_BESIDES_BODY =
            "the target sent too many bytes besides the body of the response";

    private static final EpollIoEvent READABLE = () -> EpollIoOps.EPOLLIN;

    private final Channel channel;
    private final long openedNanos;
    private Owner owner;
    private boolean draining;
    private boolean closing;
    private long expiryNanos;
    private boolean expires;

    /**
     * Creates a connection on an open channel.
     *
     * @param openedNanos now, on the clock of the pool
     */
    protected HttpConnection(Channel channel, long openedNanos) {
        this.channel = channel;
        this.openedNanos = openedNanos;
    }

    /** Receives the events that concern the pool of the connection. */
    public interface Owner {

        /** An exchange has ended, the number of exchanges that may start has changed, or the connection needs a successor. */
        void onChange();

        /** The connection is closed, and its exchanges have ended or end next. */
        void onClosed();
    }

    /** Sets the owner. Must be called before the first exchange. */
    public final void setOwner(Owner newOwner) {
        owner = newOwner;
    }

    protected final Owner owner() {
        return owner;
    }

    public final Channel channel() {
        return channel;
    }

    /** Returns when the connection was opened. */
    public final long openedNanos() {
        return openedNanos;
    }

    /** Returns whether several exchanges can be open at the same time. */
    public abstract boolean isMultiplexed();

    /** Returns how many exchanges are open. */
    public abstract int openExchanges();

    /** Returns how many exchanges were started. */
    public abstract int startedExchanges();

    /** Returns whether another exchange may start now. */
    public abstract boolean hasFreeStream();

    /**
     * Starts an exchange. Its events come later, on the event loop, except that it may fail at once.
     *
     * @return the exchange, or null if it has failed already
     */
    public abstract Exchange start(WireRequest request, ExchangeListener listener);

    /** Refuses new exchanges, and closes the connection when no exchange is open. */
    public final void drain() {
        if (!draining) {
            retire();
            if (openExchanges() == 0) {
                close();
            }
        }
    }

    private void retire() {
        draining = true;
        if (owner != null) {
            owner.onChange();
        }
    }

    /** Returns whether no further exchange may start. */
    public final boolean isDraining() {
        return draining;
    }

    /**
     * Returns whether the connection drains soon, so that the pool should open the next one now. Until then new exchanges may still start.
     */
    public boolean needsSuccessor() {
        return false;
    }

    /**
     * Returns how many exchanges the target accepted on the connection before it announced the end of it, with GOAWAY; the largest number if
     * it named none. Returns 0 if it accepted none, or has announced nothing.
     */
    public int exchangesBeforeGoAway() {
        return 0;
    }

    /** Sets when the connection becomes unusable, because the target announced that it then closes an idle one. */
    protected final void expireAt(long atNanos) {
        expires = true;
        expiryNanos = atNanos;
    }

    /** Removes the expiry that an earlier response announced. */
    protected final void clearExpiry() {
        expires = false;
    }

    /** Returns whether the connection is open and the target has not announced that it closes it by now. */
    public final boolean isUsable(long nowNanos) {
        return channel.isActive() && !draining && (!expires || nowNanos - expiryNanos < 0);
    }

    /**
     * Reads what the kernel has received, as the event loop would do after its current task. Call it directly before a request is written,
     * because a target that has ended the connection does not answer. Costs a system call. May end exchanges, and drain or close the
     * connection. Must be called on the event loop, outside the events of the connection.
     *
     * @return whether the connection is closed, or the kernel may have more to read
     */
    public final boolean readReceived() {
        Channel.Unsafe transport = channel.unsafe();
        if (!channel.isActive()) {
            return true;
        }
        if (transport instanceof EpollIoHandle epoll) {
            epoll.handle(null, READABLE);
        } else if (transport instanceof NioUnsafe nio) {
            nio.read();
        } else {
            return false;
        }
        return !channel.isActive() || transport.recvBufAllocHandle().lastBytesRead() != 0;
    }

    /**
     * Sends a PING if the target has been silent for too long, and closes the connection if nothing arrives. Does nothing over HTTP/1.1,
     * which has no PING.
     */
    public void checkAlive(long nowNanos) {}

    /** Closes the connection. Open exchanges fail. */
    public void close() {
        if (!draining) {
            retire();
        }
        if (!closing) {
            closing = true;
            channel.close();
        }
    }
}
