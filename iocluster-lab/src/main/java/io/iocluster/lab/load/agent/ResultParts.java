package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.result.ResultJson;
import io.iocluster.lab.load.result.RunResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Splits a result into parts that fit into messages. */
final class ResultParts {

    /** Characters of a part; the other fields of the message need the rest of its 32 KiB. */
    private static final int PART_CHARS = 22 << 10;

    private static final int MAX_RESULT_BYTES = 256 << 20;

    private ResultParts() {}

    static List<String> split(RunResult result) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(ResultJson.encode(result).getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        String text = Base64.getEncoder().encodeToString(bytes.toByteArray());
        List<String> parts = new ArrayList<>();
        for (int start = 0; start < text.length(); start += PART_CHARS) {
            parts.add(text.substring(start, Math.min(text.length(), start + PART_CHARS)));
        }
        return parts;
    }

    /**
     * Joins the parts.
     *
     * @throws IOException if they are damaged
     */
    static RunResult join(List<String> parts) throws IOException {
        byte[] zipped;
        try {
            zipped = Base64.getDecoder().decode(String.join("", parts));
        } catch (IllegalArgumentException damaged) {
            throw new IOException("damaged result", damaged);
        }
        try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
            byte[] json = zip.readNBytes(MAX_RESULT_BYTES);
            return ResultJson.decode(new String(json, StandardCharsets.UTF_8), "result of the agent");
        }
    }
}
