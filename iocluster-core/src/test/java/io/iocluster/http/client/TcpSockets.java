package io.iocluster.http.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The TCP sockets of this machine, as the kernel lists them. Stateless. */
final class TcpSockets {

    /** An IPv6 socket may carry an IPv4 connection. */
    private static final String[] LISTS = {"/proc/self/net/tcp", "/proc/self/net/tcp6"};

    private TcpSockets() {}

    /** Returns whether the kernel has bytes or the end of a connection to the port that no read has returned. */
    static boolean haveUnread(int port) throws IOException {
        // The remote port, the state, the size of the send queue, and that of the receive queue, in which a FIN counts
        // as a byte.
        return haveLine(String.format(":%04X [0-9A-F]{2} [0-9A-F]{8}:(?!00000000)", port));
    }

    /** Returns whether there is a connection to the port that neither side has ended. */
    static boolean areOpen(int port) throws IOException {
        return haveLine(String.format(":%04X 01 ", port));
    }

    private static boolean haveLine(String regex) throws IOException {
        Pattern line = Pattern.compile(regex);
        for (String list : LISTS) {
            if (line.matcher(Files.readString(Path.of(list))).find()) {
                return true;
            }
        }
        return false;
    }
}
