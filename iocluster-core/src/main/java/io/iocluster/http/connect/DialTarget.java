package io.iocluster.http.connect;

import io.iocluster.egress.Origin;
import io.iocluster.http.ProxySettings;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;

/**
 * The host and port that connections go to. Immutable.
 *
 * @param key equal for targets that share connections
 * @param origin the origin of the URL; the target's certificate must match its host
 * @param host the name or address to connect to, without brackets: the origin's or that of one of its upstreams
 */
public record DialTarget(Object key, Origin origin, String host, int port, ConnectionProfile profile) {

    /** Returns whether the target may speak HTTP/2, which only a TLS handshake can show. */
    public boolean mayUseHttp2() {
        return origin.isSecure() && profile.settings().http2();
    }

    /** Returns whether the node itself resolves a name to connect to the target. */
    public boolean connectsByName() {
        return !profile.isProxied() && NetUtil.createByteArrayFromIpAddressString(host) == null;
    }

    /** Returns the host and port of the target, not resolved. */
    InetSocketAddress address() {
        return InetSocketAddress.createUnresolved(host, port);
    }

    /** Returns the host and port that the node connects to: the target's, or those of its proxy. */
    InetSocketAddress nextHop() {
        ProxySettings proxy = profile.settings().proxy();
        return proxy.isEnabled() ? InetSocketAddress.createUnresolved(proxy.host(), proxy.port()) : address();
    }

    /** Returns whether a proxy gets the requests itself. Only then a response may be the proxy's and not the target's. */
    public boolean sendsRequestsToProxy() {
        return profile.settings().proxy().type() == ProxySettings.Type.HTTP && !origin.isSecure();
    }

    /** Returns whether the connection needs a tunnel through a proxy. */
    boolean needsTunnel() {
        return profile.isProxied() && !sendsRequestsToProxy();
    }
}
