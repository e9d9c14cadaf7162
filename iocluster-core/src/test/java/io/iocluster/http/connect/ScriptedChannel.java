package io.iocluster.http.connect;

import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;

/** Channel that connects or fails when the test says so. */
final class ScriptedChannel extends AbstractChannel {

    private final ChannelConfig config = new DefaultChannelConfig(this);
    private ChannelPromise connecting;
    private SocketAddress remote;
    private boolean active;
    private boolean closed;

    ScriptedChannel() {
        super(null);
    }

    SocketAddress remote() {
        return remote;
    }

    void succeed() {
        active = true;
        if (connecting.trySuccess()) {
            pipeline().fireChannelActive();
        }
    }

    void fail(Throwable cause) {
        connecting.tryFailure(cause);
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new AbstractUnsafe() {

            @Override
            public void connect(SocketAddress remoteAddress, SocketAddress localAddress, ChannelPromise promise) {
                remote = remoteAddress;
                connecting = promise;
            }
        };
    }

    @Override
    protected void doClose() {
        closed = true;
        active = false;
        if (connecting != null) {
            connecting.tryFailure(new ClosedChannelException());
        }
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected SocketAddress localAddress0() {
        return null;
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return active ? remote : null;
    }

    @Override
    protected void doBind(SocketAddress localAddress) {}

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doBeginRead() {}

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {}

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public ChannelMetadata metadata() {
        return new ChannelMetadata(false);
    }
}
