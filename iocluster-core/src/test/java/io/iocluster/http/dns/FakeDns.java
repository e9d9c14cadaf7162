package io.iocluster.http.dns;

import io.iocluster.http.DnsSettings;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.DaemonThreadFactory;
import io.netty.util.NetUtil;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Name server with addresses from the test. Its answers have a TTL of zero. Serves UDP and TCP, each on one thread. */
public final class FakeDns implements AutoCloseable {

    static final int TYPE_A = 1;
    static final int TYPE_AAAA = 28;

    private static final int HEADER = 12;
    private static final int TYPE_CNAME = 5;
    private static final int TYPE_SRV = 33;
    private static final int TRUNCATED = 0x0200;
    private static final int SERVER_FAILURE = 2;
    private static final int NO_SUCH_NAME = 3;

    private final ServerSocket tcp;
    private final DatagramSocket socket;
    private final Function<String, List<String>> addresses;
    private final AtomicInteger questions = new AtomicInteger();
    private final Queue<String> names = new ConcurrentLinkedQueue<>();
    private final Map<String, List<String>> services = new ConcurrentHashMap<>();
    private final Map<String, String> aliases = new ConcurrentHashMap<>();
    private final Queue<DatagramPacket> withheld = new ConcurrentLinkedQueue<>();
    private volatile int withheldType;
    private volatile boolean failing;
    private volatile boolean truncating;

    /**
     * @param addresses returns the addresses of a name: an empty list if the name does not exist, null to send no
     *     answer
     */
    public FakeDns(Function<String, List<String>> addresses) throws IOException {
        this.addresses = addresses;
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocket server = new ServerSocket(0, 50, loopback);
        DatagramSocket datagrams = null;
        while (datagrams == null) {
            try {
                datagrams = new DatagramSocket(server.getLocalPort(), loopback);
            } catch (BindException e) {
                // Another program uses the port for UDP. The next server gets another port, because this one is open
                // until then.
                ServerSocket taken = server;
                server = new ServerSocket(0, 50, loopback);
                taken.close();
            }
        }
        this.tcp = server;
        this.socket = datagrams;
        DaemonThreadFactory.newThread("fake-dns", this::serve).start();
        DaemonThreadFactory.newThread("fake-dns-tcp", this::serveTcp).start();
    }

    /** Returns settings that use this server only. */
    public DnsSettings settings() {
        return RecordCopy.with(DnsSettings.DEFAULTS, "servers", List.of("127.0.0.1:" + port()));
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Sets the SRV records of a name, each {@code priority weight port target}. */
    void setService(String name, String... records) {
        services.put(name, List.of(records));
    }

    /** Answers questions for the name with a CNAME record and nothing else. */
    void setAlias(String name, String target) {
        aliases.put(name, target);
    }

    /** Answers questions of this type only after {@link #release}. */
    void withhold(int type) {
        withheldType = type;
    }

    /** Answers all questions that were withheld. */
    void release() throws IOException {
        withheldType = 0;
        for (DatagramPacket each = withheld.poll(); each != null; each = withheld.poll()) {
            answer(each);
        }
    }

    /** Answers each question with SERVFAIL. */
    void fail() {
        failing = true;
    }

    /** Sends addresses over TCP only; answers over UDP are truncated. */
    void truncate() {
        truncating = true;
    }

    int questions() {
        return questions.get();
    }

    /** Returns the names of all questions, in their order. */
    List<String> names() {
        return List.copyOf(names);
    }

    /** Returns how many questions wait for {@link #release}. */
    int withheldQuestions() {
        return withheld.size();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(new byte[1_500], 1_500);
                socket.receive(packet);
                questions.incrementAndGet();
                byte[] query = Arrays.copyOf(packet.getData(), packet.getLength());
                if (type(query) == withheldType) {
                    withheld.add(packet);
                } else {
                    answer(packet);
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void answer(DatagramPacket packet) throws IOException {
        byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()), truncating);
        if (answer != null) {
            socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try (Socket client = tcp.accept()) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                byte[] answer = answer(in.readNBytes(in.readUnsignedShort()), false);
                DataOutputStream out = new DataOutputStream(client.getOutputStream());
                out.writeShort(answer.length);
                out.write(answer);
                in.read(); // Until the resolver closes the connection.
            } catch (IOException closed) {
                continue;
            }
        }
    }

    private static String name(byte[] query) {
        int end = HEADER;
        StringBuilder name = new StringBuilder();
        while (query[end] != 0) {
            name.append(new String(query, end + 1, query[end], StandardCharsets.US_ASCII))
                    .append('.');
            end += query[end] + 1;
        }
        name.setLength(name.length() - 1);
        return name.toString();
    }

    private static int type(byte[] query) {
        return query[HEADER + name(query).length() + 3];
    }

    private byte[] answer(byte[] query, boolean truncated) throws IOException {
        String name = name(query);
        names.add(name);
        int type = type(query);
        List<String> all = type == TYPE_SRV ? services.getOrDefault(name, List.of()) : addresses.apply(name);
        String alias = aliases.get(name);
        if (all == null) {
            return null;
        }
        int code = failing ? SERVER_FAILURE : all.isEmpty() && alias == null ? NO_SUCH_NAME : 0;
        List<byte[]> found = new ArrayList<>();
        if (code == 0 && !truncated) {
            if (alias != null) {
                found.add(encode(alias));
            } else {
                found.addAll(records(type, all));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(query, 0, 2);
        out.writeShort(0x8180 | code | (truncated ? TRUNCATED : 0));
        out.writeShort(1);
        out.writeShort(found.size());
        out.writeInt(0);
        out.write(query, HEADER, name.length() + 6);
        for (byte[] data : found) {
            out.writeShort(0xc000 | HEADER);
            out.writeShort(alias == null ? type : TYPE_CNAME);
            out.writeShort(1);
            out.writeInt(0);
            out.writeShort(data.length);
            out.write(data);
        }
        return bytes.toByteArray();
    }

    private static List<byte[]> records(int type, List<String> all) throws IOException {
        List<byte[]> found = new ArrayList<>();
        for (String each : all) {
            if (type == TYPE_SRV) {
                found.add(service(each));
                continue;
            }
            byte[] address = NetUtil.createInetAddressFromIpAddressString(each).getAddress();
            if ((address.length == 4 ? TYPE_A : TYPE_AAAA) == type) {
                found.add(address);
            }
        }
        return found;
    }

    private static byte[] service(String record) throws IOException {
        String[] parts = record.split(" ");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (int i = 0; i < 3; i++) {
            out.writeShort(Integer.parseInt(parts[i]));
        }
        out.write(encode(parts[3]));
        return bytes.toByteArray();
    }

    private static byte[] encode(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (String label : name.split("\\.")) {
            if (!label.isEmpty()) { // The name of the root has no label.
                out.writeByte(label.length());
                out.writeBytes(label);
            }
        }
        out.writeByte(0);
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
        try {
            tcp.close();
        } catch (IOException ignored) {
            // Nothing is left to close.
        }
    }
}
