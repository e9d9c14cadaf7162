package io.iocluster.http.dns;

import io.iocluster.http.DnsSettings;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.DaemonThreadFactory;
import io.netty.util.NetUtil;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Name server with addresses from the test. Its answers have a TTL of zero. Serves on one thread. */
public final class FakeDns implements AutoCloseable {

    private static final int HEADER = 12;
    private static final int TYPE_A = 1;
    private static final int TYPE_AAAA = 28;
    private static final int TYPE_SRV = 33;

    private final DatagramSocket socket;
    private final Function<String, List<String>> addresses;
    private final AtomicInteger questions = new AtomicInteger();
    private final Map<String, List<String>> services = new ConcurrentHashMap<>();

    /**
     * @param addresses returns the addresses of a name: an empty list if the name does not exist, null to send no
     *     answer
     */
    public FakeDns(Function<String, List<String>> addresses) throws IOException {
        this.addresses = addresses;
        this.socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        DaemonThreadFactory.newThread("fake-dns", this::serve).start();
    }

    /** Returns settings that use this server only. */
    public DnsSettings settings() {
        return RecordCopy.with(DnsSettings.DEFAULTS, "servers", List.of("127.0.0.1:" + socket.getLocalPort()));
    }

    /** Sets the SRV records of a name, each {@code priority weight port target}. */
    void setService(String name, String... records) {
        services.put(name, List.of(records));
    }

    int questions() {
        return questions.get();
    }

    private void serve() {
        byte[] buffer = new byte[1_500];
        while (!socket.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                questions.incrementAndGet();
                byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()));
                if (answer != null) {
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    private byte[] answer(byte[] query) throws IOException {
        int end = HEADER;
        StringBuilder name = new StringBuilder();
        while (query[end] != 0) {
            name.append(new String(query, end + 1, query[end], StandardCharsets.US_ASCII))
                    .append('.');
            end += query[end] + 1;
        }
        int type = query[end + 2];
        name.setLength(name.length() - 1);
        List<String> all =
                type == TYPE_SRV ? services.getOrDefault(name.toString(), List.of()) : addresses.apply(name.toString());
        if (all == null) {
            return null;
        }
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
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(query, 0, 2);
        out.writeShort(all.isEmpty() ? 0x8183 : 0x8180);
        out.writeShort(1);
        out.writeShort(found.size());
        out.writeInt(0);
        out.write(query, HEADER, end + 5 - HEADER);
        for (byte[] data : found) {
            out.writeShort(0xc000 | HEADER);
            out.writeShort(type);
            out.writeShort(1);
            out.writeInt(0);
            out.writeShort(data.length);
            out.write(data);
        }
        return bytes.toByteArray();
    }

    private static byte[] service(String record) throws IOException {
        String[] parts = record.split(" ");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (int i = 0; i < 3; i++) {
            out.writeShort(Integer.parseInt(parts[i]));
        }
        for (String label : parts[3].split("\\.")) {
            out.writeByte(label.length());
            out.writeBytes(label);
        }
        out.writeByte(0);
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
    }
}
