package io.iocluster.http.client.server;

import io.iocluster.thread.DaemonThreadFactory;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Proxy that opens {@code CONNECT} or SOCKS5 tunnels. Ignores the requested host and connects to the requested port of
 * this machine. Uses one thread for each direction.
 */
public final class TunnelProxy implements AutoCloseable {

    private final ServerSocket listener = open();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final String password;

    /** @param password of the user jo for SOCKS5; null for no authentication */
    public TunnelProxy(String password) {
        this.password = password;
        daemon(this::accept);
    }

    private static ServerSocket open() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the request of each connection: the head of a {@code CONNECT}, or {@code socks host:port}. */
    public List<String> requests() {
        return requests;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                daemon(() -> tunnel(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void tunnel(Socket client) {
        try (client) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            in.mark(1);
            boolean socks = in.read() == 5;
            in.reset();
            int port = socks ? socks5(in, client.getOutputStream()) : connect(in, client.getOutputStream());
            if (port > 0) {
                Socket target = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(target);
                daemon(() -> copy(target, client));
                in.transferTo(target.getOutputStream());
                target.close();
            }
        } catch (IOException closed) {
            // The other side is closed too.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException closed) {
            // The other side is closed too.
        }
    }

    private int connect(DataInputStream in, OutputStream out) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        requests.add(head.toString());
        out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        String authority = head.toString().split(" ", 3)[1];
        return Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
    }

    /** Implements the part of RFC 1928 and RFC 1929 that the client uses. */
    private int socks5(DataInputStream in, OutputStream out) throws IOException {
        in.readByte();
        in.readFully(new byte[in.readUnsignedByte()]);
        out.write(new byte[] {5, (byte) (password == null ? 0 : 2)});
        if (password != null) {
            in.readByte();
            String login = text(in) + ":" + text(in);
            boolean valid = login.equals("jo:" + password);
            out.write(new byte[] {1, (byte) (valid ? 0 : 1)});
            if (!valid) {
                return -1;
            }
        }
        in.readFully(new byte[3]);
        String host = switch (in.readByte()) {
            case 1 -> InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
            case 3 -> text(in);
            default -> throw new IOException("unsupported address type");
        };
        int port = in.readUnsignedShort();
        requests.add("socks " + host + ":" + port);
        out.write(new byte[] {5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        return port;
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.US_ASCII);
    }

    private static void daemon(Runnable task) {
        DaemonThreadFactory.newThread("tunnel-proxy", task).start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
