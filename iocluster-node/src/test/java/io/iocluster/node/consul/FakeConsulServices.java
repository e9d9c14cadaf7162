package io.iocluster.node.consul;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Services and their checks. Runs HTTP checks when they are read. Thread-safe. */
final class FakeConsulServices {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Map<String, JsonNode> services = new ConcurrentSkipListMap<>();
    private final Map<String, ObjectNode> checks = new ConcurrentSkipListMap<>();

    /** Removes all services and checks. */
    void clear() {
        services.clear();
        checks.clear();
    }

    /** Returns the service as it was registered; null if it is not. */
    JsonNode get(String id) {
        return services.get(id);
    }

    void serve(HttpExchange exchange, String body) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String last = path.substring(path.lastIndexOf('/') + 1);
        boolean put = exchange.getRequestMethod().equals("PUT");
        if (put && path.equals("/v1/agent/service/register")) {
            register((ObjectNode) JSON.readTree(body));
            FakeConsulAgent.reply(exchange, 200, "");
        } else if (put && path.startsWith("/v1/agent/service/deregister/")) {
            boolean known = deregister(last);
            FakeConsulAgent.reply(exchange, known ? 200 : 404, known ? "" : "Unknown service ID \"" + last + "\"");
        } else if (put && path.startsWith("/v1/agent/check/update/")) {
            boolean known = update(last, JSON.readTree(body));
            FakeConsulAgent.reply(exchange, known ? 200 : 404, known ? "" : "Unknown check ID \"" + last + "\"");
        } else if (path.startsWith("/v1/agent/service/")) {
            JsonNode service = services.get(last);
            FakeConsulAgent.reply(
                    exchange, service == null ? 404 : 200, service == null ? "unknown service ID" : service.toString());
        } else if (path.equals("/v1/agent/checks")) {
            FakeConsulAgent.reply(exchange, 200, JSON.writeValueAsString(runHttpChecks()));
        } else {
            FakeConsulAgent.reply(exchange, 405, "");
        }
    }

    private void register(ObjectNode service) {
        services.put(service.get("ID").asString(), service);
        for (JsonNode check : service.get("Checks")) {
            checks.put(check.get("CheckID").asString(), (ObjectNode) check);
        }
    }

    private boolean deregister(String id) {
        checks.keySet().removeIf(check -> check.startsWith(id + ":"));
        return services.remove(id) != null;
    }

    private boolean update(String id, JsonNode report) {
        ObjectNode check = checks.get(id);
        if (check == null || !check.has("TTL")) {
            return false;
        }
        check.set("Status", report.get("Status"));
        check.set("Output", report.get("Output"));
        return true;
    }

    private Map<String, ObjectNode> runHttpChecks() {
        for (ObjectNode check : checks.values()) {
            if (check.has("HTTP")) {
                check.put("Status", isPassing(check.get("HTTP").asString()) ? "passing" : "critical");
            }
        }
        return checks;
    }

    private static boolean isPassing(String url) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            int status = connection.getResponseCode();
            connection.disconnect();
            return status == 200;
        } catch (IOException gone) {
            return false;
        }
    }
}
