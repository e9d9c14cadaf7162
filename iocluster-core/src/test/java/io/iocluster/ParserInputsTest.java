package io.iocluster;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gives each parser of untrusted input the same inputs in every run: its seeds, what broke it once, and mutations of both. {@code
 * bin/fuzz} searches for others.
 */
class ParserInputsTest {

    private static final int MUTATED_INPUTS = 3_000;
    private static final int MAX_EDITS = 4;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "egress.UrlParserFuzz",
                "message.AnswerDecoderFuzz",
                "message.RequestDecoderFuzz",
                "retry.RetryAfterFuzz",
                "usable.UsableCheckFuzz"
            })
    void holdsForItsSeedsAndMutationsOfThem(String name) throws Exception {
        Class<?> fuzz = Class.forName("io.iocluster." + name);
        Method method = Stream.of(fuzz.getDeclaredMethods())
                .filter(each -> each.isAnnotationPresent(FuzzTest.class))
                .findFirst()
                .orElseThrow();
        method.setAccessible(true);
        Constructor<?> constructor = fuzz.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object parser = constructor.newInstance();
        List<byte[]> inputs = seeds(fuzz, method);
        List<byte[]> words = Stream.of(
                        method.getAnnotation(DictionaryEntries.class).value())
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();

        Random random = new Random(1);
        for (int i = 0; i < MUTATED_INPUTS; i++) {
            inputs.add(mutated(inputs, words, random));
        }

        for (byte[] input : inputs) {
            run(method, parser, input);
        }
    }

    private static List<byte[]> seeds(Class<?> fuzz, Method method)
            throws ReflectiveOperationException, IOException, URISyntaxException {
        Method seeds = fuzz.getDeclaredMethod("seeds");
        seeds.setAccessible(true);
        List<byte[]> inputs = new ArrayList<>();
        ((Stream<?>) seeds.invoke(null)).forEach(each -> inputs.add((byte[]) each));
        URL folder = fuzz.getResource(fuzz.getSimpleName() + "Inputs/" + method.getName());
        if (folder != null) {
            try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
                for (Path file : files.sorted().toList()) {
                    inputs.add(Files.readAllBytes(file));
                }
            }
        }
        return inputs;
    }

    /** Returns an input, which may be mutated already, with one or more bytes replaced, removed or inserted. */
    private static byte[] mutated(List<byte[]> inputs, List<byte[]> words, Random random) {
        byte[] input = inputs.get(random.nextInt(inputs.size()));
        for (int edits = 1 + random.nextInt(MAX_EDITS); edits > 0; edits--) {
            int from = random.nextInt(input.length + 1);
            int to = random.nextBoolean() ? from : from + random.nextInt(input.length - from + 1);
            byte[] inserted = switch (random.nextInt(4)) {
                case 0 -> new byte[0];
                case 1 -> new byte[] {(byte) random.nextInt()};
                case 2 -> words.get(random.nextInt(words.size()));
                default -> part(inputs.get(random.nextInt(inputs.size())), random);
            };
            byte[] edited = Arrays.copyOf(input, from + inserted.length + input.length - to);
            System.arraycopy(inserted, 0, edited, from, inserted.length);
            System.arraycopy(input, to, edited, from + inserted.length, input.length - to);
            input = edited;
        }
        return input;
    }

    private static byte[] part(byte[] input, Random random) {
        int from = random.nextInt(input.length + 1);
        return Arrays.copyOfRange(input, from, from + random.nextInt(input.length - from + 1));
    }

    private static void run(Method method, Object parser, byte[] input) throws IllegalAccessException {
        try {
            method.invoke(parser, (Object) input);
        } catch (InvocationTargetException failed) {
            throw new AssertionError("the input " + HexFormat.of().formatHex(input), failed.getCause());
        }
    }
}
