package io.iocluster.node.httpd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.MeasuredKafkaNode;
import io.iocluster.node.MeasuredKafkaNode.Drain;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.ZipfKeys;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what the cache saves in front of a target behind nginx, and of httpbin behind nginx, with Kafka: throughput, CPU time of the
 * node, and the calls that the target sees. Fails if one call is not answered with 200. The suite does not run it. Run it alone, with both
 * JIT compilers:
 *
 * <pre>
 * mvn verify -pl iocluster-node -am -Dit.test=CachedTargetMeasurement -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=none
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dshort-lived.jvm.flags=
 * </pre>
 */
@Tag("measured-by-hand")
class CachedTargetMeasurement {

    private static final Logger LOG = LoggerFactory.getLogger(CachedTargetMeasurement.class);
    private static final String UNCACHED = "127.0.0.1";
    private static final String CACHED = "127.0.0.2";

    private static final int KEYS = 100_000;
    private static final int WARM_KEYS = 1_000;
    private static final int HITS = 150_000;

    /**
     * The numbers of calls.
     *
     * @param uncached without a cache
     * @param cached with a cache that is empty at first
     * @param warmUp before the measurement, without a cache
     */
    private record Sizes(int uncached, int cached, int warmUp) {}

    @Test
    void aTargetBehindNginx() throws Exception {
        try (KafkaNodeFixture stage = new KafkaNodeFixture(6, Map.of())) {
            measure(stage, stage.target.port(), "/ok", new Sizes(700_000, 700_000, 150_000));
        }
    }

    /** Makes fewer calls without a cache, because httpbin answers about a thousand a second. */
    @Test
    void httpbinBehindNginx() throws Exception {
        assumeTrue(HttpServerProcess.installHttpbin(), "httpbin could not be installed; pip needs a package index");
        try (KafkaNodeFixture stage = new KafkaNodeFixture(6, Map.of());
                TempDirectory folder = new TempDirectory("httpbin");
                HttpServerProcess httpbin = HttpServerProcess.httpbin(folder)) {
            measure(stage, httpbin.port(), "/get", new Sizes(20_000, 500_000, 5_000));
        }
    }

    private static void measure(KafkaNodeFixture stage, int target, String path, Sizes sizes) throws Exception {
        int port = FreePorts.find(1)[0];
        try (TempDirectory folder = new TempDirectory("nginx");
                HttpServerProcess nginx = HttpServerProcess.nginx(folder, port, """
                        keepalive_requests 1000000;
                        upstream target { server 127.0.0.1:%d; keepalive 64; keepalive_requests 1000000; }
                        server {
                          listen %d;
                          location / { proxy_pass http://target; proxy_http_version 1.1; proxy_set_header Connection ""; }
                          location = /status { stub_status; }
                        }
                        """.formatted(target, port))) {
            NodeProcess node = stage.startNode(
                            "node", List.of("-Xmx1g"), stage.configure("node", "none", """
                            http: {cache: {max-bytes: 256MiB}}
                            destination-defaults: {max-in-flight: 64, backpressure-timeout: 10s, retry: {max-attempts: 1}}
                            destinations:
                              - {match: %s, max-in-flight: 64, cache: {ttl: 1h, max-bytes: 200MiB, coalesce: true}}
                            """.formatted(CACHED)))
                    .awaitReady();
            try (MeasuredKafkaNode measured = new MeasuredKafkaNode(stage, node)) {
                String suffix = ":" + nginx.port() + path + "?key=";
                String warmUp = ":" + nginx.port() + path + "?warm=";
                measured.drain(sizes.warmUp, i -> envelope(UNCACHED + warmUp + i));
                measured.drain(HITS, i -> envelope(CACHED + warmUp + i % WARM_KEYS));

                ZipfKeys keys = new ZipfKeys(KEYS, 17);
                long start = requests(nginx);
                Drain plain = measured.drain(sizes.uncached, i -> envelope(UNCACHED + suffix + keys.next()));
                long before = requests(nginx);
                ZipfKeys sameKeys = new ZipfKeys(KEYS, 17);
                Drain cached = measured.drain(sizes.cached, i -> envelope(CACHED + suffix + sameKeys.next()));
                long seen = requests(nginx) - before - 1;
                Drain hits = measured.drain(HITS, i -> envelope(CACHED + warmUp + i % WARM_KEYS));

                LOG.warn(
                        "Without a cache: {}/s, {} us; with it: {}/s, {} us, target saw {} %; hits only: {}/s, {} us;"
                                + " throughput x {}, CPU of a hit x {}",
                        Math.round(plain.perSecond()),
                        round(plain.cpuMicros()),
                        Math.round(cached.perSecond()),
                        round(cached.cpuMicros()),
                        round(100.0 * seen / sizes.cached),
                        Math.round(hits.perSecond()),
                        round(hits.cpuMicros()),
                        round(cached.perSecond() / plain.perSecond()),
                        round(hits.cpuMicros() / plain.cpuMicros()));
                assertThat(before - start - 1).isEqualTo(sizes.uncached);
                assertThat(seen).isEqualTo(sizes.cached - cached.hits());
                assertThat(hits.hits()).isEqualTo(HITS);
                assertThat(seen).isLessThanOrEqualTo(sizes.cached * 15L / 100);
                assertThat(cached.perSecond()).isGreaterThanOrEqualTo(2 * plain.perSecond());
                assertThat(hits.cpuMicros()).isLessThanOrEqualTo(plain.cpuMicros() / 2);
            }
        }
    }

    private static String envelope(String url) {
        return "{\"url\":\"http://" + url + "\"}";
    }

    /** Returns the number of requests that nginx has received, this one included. */
    private static long requests(HttpServerProcess nginx) throws IOException, InterruptedException {
        HttpRequest status = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + nginx.port() + "/status"))
                .build();
        String body = HttpClient.newHttpClient()
                .send(status, HttpResponse.BodyHandlers.ofString())
                .body();
        // The third number of the line below "server accepts handled requests".
        return Long.parseLong(body.lines().toList().get(2).strip().split(" ")[2]);
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
