package io.iocluster.http.client.fuzz;

import io.netty.handler.ssl.ApplicationProtocolNames;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/** The client's side of {@link PlainTls}. Sends one handshake record, expects one, and then copies. Confined to its connection. */
final class PlainTlsEngine extends SSLEngine {

    private final SSLEngine jdk;
    private final String protocol;
    private HandshakeStatus handshake = HandshakeStatus.NOT_HANDSHAKING;
    private boolean started;
    private boolean inboundDone;
    private boolean outboundClosing;
    private boolean outboundDone;

    /**
     * Creates an engine before its handshake.
     *
     * @param jdk holds the parameters
     * @param protocol what the handshake selects if the client offers it
     */
    PlainTlsEngine(SSLEngine jdk, String protocol) {
        this.jdk = jdk;
        this.protocol = protocol;
    }

    @Override
    public void beginHandshake() {
        if (!started) {
            started = true;
            handshake = HandshakeStatus.NEED_WRAP;
        }
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) {
        beginHandshake();
        if (target.remaining() < PlainTls.RECORD_HEADER + PlainTls.MAX_CONTENT) {
            return new SSLEngineResult(Status.BUFFER_OVERFLOW, handshake, 0, 0);
        }
        if (outboundDone) {
            return new SSLEngineResult(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 0);
        }
        if (outboundClosing) {
            outboundDone = true;
            handshake = HandshakeStatus.NOT_HANDSHAKING;
            return new SSLEngineResult(Status.CLOSED, handshake, 0, put(target, PlainTls.ALERT, PlainTls.CLOSE_NOTIFY));
        }
        if (handshake == HandshakeStatus.NEED_WRAP) {
            handshake = HandshakeStatus.NEED_UNWRAP;
            byte[] hello =
                    selected().equals(ApplicationProtocolNames.HTTP_2) ? PlainTls.HTTP2_HELLO : PlainTls.HTTP1_HELLO;
            return new SSLEngineResult(Status.OK, handshake, 0, put(target, PlainTls.HANDSHAKE, hello));
        }
        if (handshake == HandshakeStatus.NEED_UNWRAP) {
            return new SSLEngineResult(Status.OK, handshake, 0, 0);
        }
        byte[] content = take(sources, offset, length);
        int written = content.length == 0 ? 0 : put(target, PlainTls.DATA, content);
        return new SSLEngineResult(Status.OK, handshake, content.length, written);
    }

    private static byte[] take(ByteBuffer[] sources, int offset, int length) {
        int available = 0;
        for (int i = offset; i < offset + length; i++) {
            available += sources[i].remaining();
        }
        byte[] content = new byte[Math.min(available, PlainTls.MAX_CONTENT)];
        int taken = 0;
        for (int i = offset; i < offset + length; i++) {
            int part = Math.min(sources[i].remaining(), content.length - taken);
            sources[i].get(content, taken, part);
            taken += part;
        }
        return content;
    }

    private static int put(ByteBuffer target, int type, byte[] content) {
        byte[] record = PlainTls.records(type, content);
        target.put(record);
        return record.length;
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length) throws SSLException {
        beginHandshake();
        if (inboundDone) {
            return new SSLEngineResult(Status.CLOSED, handshake, 0, 0);
        }
        if (handshake == HandshakeStatus.NEED_WRAP) {
            return new SSLEngineResult(Status.OK, handshake, 0, 0);
        }
        int start = source.position();
        int size = source.remaining() < PlainTls.RECORD_HEADER ? -1 : source.getShort(start + 3) & 0xffff;
        if (size < 0 || source.remaining() < PlainTls.RECORD_HEADER + size) {
            return new SSLEngineResult(Status.BUFFER_UNDERFLOW, handshake, 0, 0);
        }
        int type = source.get(start);
        int room = 0;
        for (int i = offset; i < offset + length; i++) {
            room += targets[i].remaining();
        }
        if (type == PlainTls.DATA && room < size) {
            return new SSLEngineResult(Status.BUFFER_OVERFLOW, handshake, 0, 0);
        }
        byte[] content = new byte[size];
        source.position(start + PlainTls.RECORD_HEADER).get(content);
        BiFunction<Status, Integer, SSLEngineResult> consumed =
                (status, produced) -> new SSLEngineResult(status, handshake, PlainTls.RECORD_HEADER + size, produced);
        return switch (type) {
            case PlainTls.HANDSHAKE -> {
                boolean finished = handshake == HandshakeStatus.NEED_UNWRAP;
                handshake = HandshakeStatus.NOT_HANDSHAKING;
                yield finished
                        ? new SSLEngineResult(Status.OK, HandshakeStatus.FINISHED, PlainTls.RECORD_HEADER + size, 0)
                        : consumed.apply(Status.OK, 0);
            }
            case PlainTls.ALERT -> {
                inboundDone = true;
                yield consumed.apply(Status.CLOSED, 0);
            }
            case PlainTls.DATA -> {
                scatter(content, targets, offset);
                yield consumed.apply(Status.OK, size);
            }
            default -> throw new SSLException("unknown record type " + type);
        };
    }

    private static void scatter(byte[] content, ByteBuffer[] targets, int offset) {
        int copied = 0;
        for (int i = offset; copied < content.length; i++) {
            int part = Math.min(targets[i].remaining(), content.length - copied);
            targets[i].put(content, copied, part);
            copied += part;
        }
    }

    @Override
    public void closeInbound() throws SSLException {
        if (!inboundDone) {
            inboundDone = true;
            throw new SSLException("closing inbound before receiving peer's close_notify");
        }
    }

    @Override
    public boolean isInboundDone() {
        return inboundDone;
    }

    @Override
    public void closeOutbound() {
        outboundClosing = true;
    }

    @Override
    public boolean isOutboundDone() {
        return outboundDone;
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return outboundClosing && !outboundDone ? HandshakeStatus.NEED_WRAP : handshake;
    }

    @Override
    public String getApplicationProtocol() {
        return handshake == HandshakeStatus.NOT_HANDSHAKING && started ? selected() : null;
    }

    /** Returns the protocol of the connection: the wanted one if the client offers it. */
    private String selected() {
        List<String> offered = List.of(getSSLParameters().getApplicationProtocols());
        return offered.contains(protocol) ? protocol : ApplicationProtocolNames.HTTP_1_1;
    }

    @Override
    public String getHandshakeApplicationProtocol() {
        return getApplicationProtocol();
    }

    @Override
    public Runnable getDelegatedTask() {
        return null;
    }

    @Override
    public SSLSession getSession() {
        return jdk.getSession();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return jdk.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        jdk.setSSLParameters(parameters);
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return jdk.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return jdk.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        jdk.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return jdk.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return jdk.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        jdk.setEnabledProtocols(protocols);
    }

    @Override
    public void setUseClientMode(boolean client) {
        jdk.setUseClientMode(client);
    }

    @Override
    public boolean getUseClientMode() {
        return jdk.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        jdk.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return jdk.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        jdk.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return jdk.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean enabled) {
        jdk.setEnableSessionCreation(enabled);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return jdk.getEnableSessionCreation();
    }
}
