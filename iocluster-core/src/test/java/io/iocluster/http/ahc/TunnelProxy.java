package io.iocluster.http.ahc;

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
 * A proxy that makes tunnels by {@code CONNECT} or by SOCKS5, whatever their host is called, to the port of this machine that
 * they ask for. One thread for each direction.
 */
final class TunnelProxy implements AutoCloseable {

    private final ServerSocket listener = open();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final String password;

    /** @param password of the user jo, for SOCKS5; null for no login */
    TunnelProxy(String password) {
        this.password = password;
        daemon(this::accept);
    }

    private static ServerSocket open() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException noSocket) {
            throw new IllegalStateException(noSocket);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** What each connection asked for: the head of a {@code CONNECT}, or {@code socks host:port}. */
    List<String> asked() {
        return asked;
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
        } catch (IOException oneSideIsGone) {
            // So is the other, then.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException oneSideIsGone) {
            // So is the other, then.
        }
    }

    private int connect(DataInputStream in, OutputStream out) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        asked.add(head.toString());
        out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        String authority = head.toString().split(" ", 3)[1];
        return Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
    }

    /** The part of RFC 1928 and RFC 1929 that a client without choices needs. */
    private int socks5(DataInputStream in, OutputStream out) throws IOException {
        in.readByte();
        in.readFully(new byte[in.readUnsignedByte()]);
        out.write(new byte[] {5, (byte) (password == null ? 0 : 2)});
        if (password != null) {
            in.readByte();
            String login = text(in) + ":" + text(in);
            boolean right = login.equals("jo:" + password);
            out.write(new byte[] {1, (byte) (right ? 0 : 1)});
            if (!right) {
                return -1;
            }
        }
        in.readFully(new byte[3]);
        String host = switch (in.readByte()) {
            case 1 -> InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
            case 3 -> text(in);
            default -> throw new IOException("an address of a kind that no test has");
        };
        int port = in.readUnsignedShort();
        asked.add("socks " + host + ":" + port);
        out.write(new byte[] {5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        return port;
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.US_ASCII);
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "tunnel-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
