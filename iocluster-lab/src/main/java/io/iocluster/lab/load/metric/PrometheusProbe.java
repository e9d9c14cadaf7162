package io.iocluster.lab.load.metric;

import io.iocluster.thread.ReadTimeout;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Evaluates PromQL on a Prometheus with its instant queries. */
public final class PrometheusProbe implements Probe {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_RESPONSE_BYTES = 4 << 20;

    private final HttpClient http;
    private final URI base;
    private final Duration timeout;
    private final Map<String, String> queries;

    /**
     * @param base URL of the Prometheus, maybe with a path
     * @param timeout maximum time of one query
     * @param queries PromQL by the name of its figure
     */
    public PrometheusProbe(URI base, Duration timeout, Map<String, String> queries) {
        this.base = base;
        this.timeout = timeout;
        this.queries = new LinkedHashMap<>(queries);
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    @Override
    public String name() {
        return "Prometheus " + base.getRawAuthority();
    }

    @Override
    public Map<String, Double> read() throws IOException, InterruptedException {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : queries.entrySet()) {
            query(each.getValue()).ifPresent(value -> figures.put(each.getKey(), value));
        }
        return figures;
    }

    /** Returns the sum of the series that the query selects now; empty if it selects none. */
    private OptionalDouble query(String promql) throws IOException, InterruptedException {
        String path = base.toString().replaceFirst("/+$", "") + "/api/v1/query";
        String form =
                "query=" + URLEncoder.encode(promql, StandardCharsets.UTF_8) + "&timeout=" + timeout.toMillis() + "ms";
        HttpRequest request = HttpRequest.newBuilder(URI.create(path))
                .timeout(timeout)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        HttpResponse<InputStream> response;
        try {
            response = http.send(request, BodyHandlers.ofInputStream());
        } catch (IOException unreachable) {
            throw new IOException(base + " cannot be reached: " + reason(unreachable), unreachable);
        }
        byte[] body;
        try (InputStream in = response.body();
                ReadTimeout limit = new ReadTimeout(in, timeout)) {
            body = in.readNBytes(MAX_RESPONSE_BYTES);
        } catch (IOException broken) {
            throw new IOException(base + " did not send its whole response: " + reason(broken), broken);
        }
        return sum(promql, response.statusCode(), body);
    }

    private static String reason(IOException unreachable) {
        return unreachable.getMessage() == null ? unreachable.getClass().getSimpleName() : unreachable.getMessage();
    }

    private OptionalDouble sum(String promql, int status, byte[] body) throws IOException {
        JsonNode json;
        try {
            json = JSON.readTree(body);
        } catch (JacksonException other) {
            throw new IOException(base + " is not a Prometheus: status " + status + " without JSON", other);
        }
        if (!json.path("status").asString("").equals("success")) {
            throw new IOException("query \"" + promql + "\": "
                    + json.path("error").asString("status " + status + " without a reason"));
        }
        JsonNode data = json.path("data");
        JsonNode result = data.path("result");
        return switch (data.path("resultType").asString("")) {
            case "scalar" -> OptionalDouble.of(number(promql, result));
            case "vector" -> {
                double sum = 0;
                for (JsonNode series : result) {
                    sum += number(promql, series.path("value"));
                }
                yield result.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sum);
            }
            default ->
                throw new IOException("query \"" + promql + "\" must give a vector or a scalar, not a "
                        + data.path("resultType").asString("null"));
        };
    }

    /** Reads the second element of {@code [time, "value"]}. */
    private static double number(String promql, JsonNode sample) throws IOException {
        String text = sample.path(1).asString("");
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> {
                try {
                    yield Double.parseDouble(text);
                } catch (NumberFormatException other) {
                    throw new IOException("query \"" + promql + "\" gave something other than a number: " + text);
                }
            }
        };
    }
}
