package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.cluster.AnnouncementCodec.Decoded;
import io.iocluster.node.cluster.AnnouncementCodec.Decoded.Announced;
import io.iocluster.node.cluster.AnnouncementCodec.Decoded.Ignored;
import io.iocluster.node.cluster.AnnouncementCodec.Decoded.Renewed;
import io.iocluster.transport.cluster.ClusterChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementCodecTest {

    private static final String IDENTITY = "\"id\":{\"node\":\"node-1\",\"instance\":\"0000000000000001\"}";

    @Test
    void decodesWhatItEncodes() {
        NodeAnnouncement announcement = TestAnnouncements.full(40, "x");

        assertThat(decode(AnnouncementCodec.encode(announcement))).isEqualTo(new Announced(announcement));
    }

    @Test
    void decodesALastRecord() {
        NodeAnnouncement last = NodeAnnouncement.leaving(TestAnnouncements.identity("node-1", 1));

        assertThat(decode(AnnouncementCodec.encode(last))).isEqualTo(new Announced(last));
    }

    @Test
    void decodesAHeartbeat() {
        Heartbeat heartbeat = new Heartbeat("node-1", TestAnnouncements.instance(1), new Lease(1_500, 7, true));

        byte[] record = AnnouncementCodec.encode(heartbeat);

        assertThat(decode(record)).isEqualTo(new Renewed(heartbeat));
        assertThat(record).hasSizeLessThan(150);
    }

    @Test
    void aNodeOfAnOlderVersionUsesAShareForThreeAndAHalfOfItsIntervals() {
        byte[] record = utf8("{\"v\":1," + IDENTITY + ",\"intervalMillis\":2000}");

        NodeAnnouncement older = ((Announced) decode(record)).announcement();

        assertThat(older.lease()).isNull();
        assertThat(older.heartbeat(1_000).lease()).isEqualTo(new Lease(7_000, 0, true));
        assertThat(older.heartbeat(4_000).lease()).isEqualTo(new Lease(14_000, 0, true));
    }

    @Test
    void shortensListsUntilTheRecordFits() {
        NodeAnnouncement large = TestAnnouncements.full(256, "ü\"漢");

        byte[] record = AnnouncementCodec.encode(large);

        assertThat(record).hasSizeLessThanOrEqualTo(ClusterChannel.MAX_RECORD_BYTES);
        NodeAnnouncement shortened = ((Announced) decode(record)).announcement();
        assertThat(shortened.lags().more() + shortened.lags().largest().size()).isEqualTo(25);
        assertThat(shortened.lags().total()).isEqualTo(large.lags().total());
        assertThat(shortened.apps().more() + shortened.apps().busiest().size()).isEqualTo(212);
    }

    @Test
    void boundsListsAndTextsOfOthers() {
        NodeAnnouncement full = TestAnnouncements.full(5_000, "x");

        assertThat(full.lags().largest()).hasSize(20);
        assertThat(full.lags().more()).isEqualTo(5);
        assertThat(full.reason()).hasSize(400).endsWith("…");
        assertThat(full.destinations().get(0).name()).hasSize(256);
        assertThat(full.apps().busiest()).hasSize(10);
        assertThat(full.apps().more()).isEqualTo(202);
        assertThat(full.apps().busiest().get(0).name()).hasSize(64);
    }

    @Test
    void replacesCharactersThatCouldDeceiveAnOperator() {
        byte[] record = utf8("{\"v\":1," + IDENTITY + ",\"reason\":\"a\\u001b[2Jb\\u202ec\\nd\\ud800e\"}");

        assertThat(((Announced) decode(record)).announcement().reason()).isEqualTo("a\uFFFD[2Jb\uFFFDc\uFFFDd\uFFFDe");
    }

    @Test
    void ignoresFieldsThatItDoesNotKnow() {
        assertThat(decode(utf8("{\"v\":1," + IDENTITY + ",\"later\":{\"a\":[1]}}")))
                .isInstanceOf(Announced.class);
    }

    @Test
    void ignoresLaterVersions() {
        assertThat(decode(utf8("{\"v\":3,\"other\":true}"))).isEqualTo(new Ignored(IgnoredRecord.UNKNOWN_VERSION));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "null",
                "{}",
                "{\"v\":1}",
                "{\"v\":\"1\"}",
                "{\"v\":0}",
                "{\"v\":1.0," + IDENTITY + "}",
                "{\"v\":1," + IDENTITY + "} x",
                "{\"v\":1," + IDENTITY + ",\"v\":1}",
                "{\"v\":1,\"id\":null}",
                "{\"v\":1,\"id\":{\"node\":\"a b\",\"instance\":\"0000000000000001\"}}",
                "{\"v\":1,\"id\":{\"node\":\"<img>\",\"instance\":\"0000000000000001\"}}",
                "{\"v\":1,\"id\":{\"node\":\"\",\"instance\":\"0000000000000001\"}}",
                "{\"v\":1,\"id\":{\"node\":\"a\",\"instance\":\"1\"}}",
                "{\"v\":1," + IDENTITY + ",\"state\":\"RUNNING\"}",
                "{\"v\":1," + IDENTITY + ",\"callsPerSecond\":-1}",
                "{\"v\":1," + IDENTITY + ",\"callsPerSecond\":\"NaN\"}",
                "{\"v\":1," + IDENTITY + ",\"callsPerSecond\":1e300}",
                "{\"v\":1," + IDENTITY + ",\"errorShare\":1.5}",
                "{\"v\":1," + IDENTITY + ",\"load\":{\"inFlight\":-1}}",
                "{\"v\":1," + IDENTITY + ",\"load\":{\"inFlight\":\"7\"}}",
                "{\"v\":1," + IDENTITY + ",\"load\":{\"inFlight\":99999999999}}",
                "{\"v\":1," + IDENTITY + ",\"load\":{\"cpu\":2}}",
                "{\"v\":1," + IDENTITY + ",\"lags\":{\"more\":2147483647,\"largest\":[null]}}",
                "{\"v\":1," + IDENTITY + ",\"problems\":[null]}",
                "{\"v\":1," + IDENTITY + ",\"apps\":{\"busiest\":[null]}}",
                "{\"v\":1," + IDENTITY + ",\"apps\":{\"callsPerSecond\":-1}}",
                "{\"v\":1," + IDENTITY + ",\"apps\":{\"busiest\":[{\"inFlight\":-1}]}}",
                "{\"v\":1," + IDENTITY + ",\"lease\":{\"millis\":0}}",
                "{\"v\":1," + IDENTITY + ",\"lease\":{\"millis\":999}}",
                "{\"v\":1," + IDENTITY + ",\"lease\":{\"millis\":240001}}",
                "{\"v\":1," + IDENTITY + ",\"lease\":{\"millis\":1500,\"sentMillis\":-1}}",
                "{\"v\":2}",
                "{\"v\":2,\"node\":\"a\",\"instance\":\"0000000000000001\"}",
                "{\"v\":2,\"node\":\"a\",\"instance\":\"1\",\"lease\":{\"millis\":1500}}",
                "{\"v\":2,\"node\":\"a b\",\"instance\":\"0000000000000001\",\"lease\":{\"millis\":1500}}",
                "{\"v\":2,\"node\":\"a\",\"instance\":\"0000000000000001\",\"lease\":{\"millis\":9e9}}",
                "{\"v\":1," + IDENTITY + ",\"a\":[[[[[[[[[[1]]]]]]]]]]}",
            })
    void ignoresWhatNoNodeSends(String record) {
        assertThat(decode(utf8(record))).isEqualTo(new Ignored(IgnoredRecord.UNREADABLE));
    }

    @Test
    void survivesDamagedRecords() {
        byte[] whole = AnnouncementCodec.encode(TestAnnouncements.full(40, "x"));
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            for (int j = 0; j < 4; j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            assertThat(decode(damaged)).isNotNull();
        }
    }

    @Test
    void aTypicalRecordIsSmall() {
        byte[] record = AnnouncementCodec.encode(TestAnnouncements.full(30, "x"));
        System.out.println(
                "a record with 20 partitions, 10 destinations, 10 apps and 5 problems has " + record.length + " bytes");
        System.out.println("a record of an idle node has "
                + AnnouncementCodec.encode(TestAnnouncements.idle("node-1", 1)).length + " bytes");

        assertThat(record).hasSizeLessThan(8_192);
    }

    private static Decoded decode(byte[] record) {
        return AnnouncementCodec.decode(record);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
