package io.iocluster.http.client;

import io.iocluster.http.client.fuzz.Choices;
import io.iocluster.http.client.fuzz.Exchange;
import io.iocluster.http.client.fuzz.Http1Exchange;
import io.iocluster.http.client.fuzz.Http2Exchange;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replays the inputs that broke the executor once, and the same random ones in every run. {@code bin/fuzz} searches for others. */
@Timeout(600)
class ResponseFuzzTest {

    private static final int RANDOM_INPUTS = 300;
    private static final int MAX_INPUT = 80;

    private enum Protocol {
        HTTP_1(Http1ResponseFuzz.class, Http1Exchange::new),
        HTTP_2(Http2ResponseFuzz.class, Http2Exchange::new);

        private final Class<?> fuzz;
        private final Function<Choices, Exchange> exchange;

        Protocol(Class<?> fuzz, Function<Choices, Exchange> exchange) {
            this.fuzz = fuzz;
            this.exchange = exchange;
        }

        private List<Path> seeds() throws IOException, URISyntaxException {
            Path folder = Path.of(fuzz.getResource(fuzz.getSimpleName() + "Inputs/claimsNoMoreThanTheTargetDid")
                    .toURI());
            try (Stream<Path> files = Files.list(folder)) {
                return files.sorted().toList();
            }
        }

        private void run(ResponseFuzzer fuzzer, String name, byte[] input) {
            try {
                fuzzer.run(exchange.apply(new Choices(input)));
            } catch (AssertionError violated) {
                throw new AssertionError(name + ": " + violated.getMessage(), violated);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void replaysWhatBrokeTheExecutorOnce(Protocol protocol) throws Exception {
        try (ResponseFuzzer fuzzer = new ResponseFuzzer(protocol == Protocol.HTTP_2)) {
            for (Path seed : protocol.seeds()) {
                protocol.run(fuzzer, seed.getFileName().toString(), Files.readAllBytes(seed));
            }
            fuzzer.checkLeaks();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void playsRandomInputs(Protocol protocol) throws Exception {
        try (ResponseFuzzer fuzzer = new ResponseFuzzer(protocol == Protocol.HTTP_2)) {
            for (int seed = 0; seed < RANDOM_INPUTS; seed++) {
                Random random = new Random(seed);
                byte[] input = new byte[random.nextInt(MAX_INPUT)];
                random.nextBytes(input);
                protocol.run(fuzzer, HexFormat.of().formatHex(input), input);
            }
            fuzzer.checkLeaks();
        }
    }
}
