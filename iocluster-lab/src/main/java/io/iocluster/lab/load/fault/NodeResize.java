package io.iocluster.lab.load.fault;

import io.iocluster.node.cli.admin.AdminClient;
import java.io.IOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes the size of a node's workers. Restores the size that the node had before. */
final class NodeResize implements FaultAction {

    private static final String THREADS = "threads";
    private static final String MAX_IN_FLIGHT = "max-in-flight";

    private final AdminClient node;
    private final ObjectNode size;
    private final ObjectNode sizeBefore = JsonNodeFactory.instance.objectNode();

    /**
     * @param threads number of event loops; 0 to keep it
     * @param maxInFlight maximum number of calls in flight; 0 to keep it
     */
    NodeResize(AdminClient node, int threads, int maxInFlight) {
        this.node = node;
        this.size = JsonNodeFactory.instance.objectNode();
        if (threads > 0) {
            size.put(THREADS, threads);
        }
        if (maxInFlight > 0) {
            size.put(MAX_IN_FLIGHT, maxInFlight);
        }
    }

    @Override
    public String description() {
        return "resize-node " + node.address() + " " + text(size);
    }

    @Override
    public void prepare() throws IOException, InterruptedException {
        JsonNode workers = node.get("/api/config").path("workers");
        for (String key : size.propertyNames()) {
            JsonNode value = workers.path(key);
            if (!value.isIntegralNumber()) {
                throw new IOException(node.address() + " reports no workers." + key + ", which undo must restore");
            }
            sizeBefore.set(key, value);
        }
    }

    @Override
    public void apply() throws IOException, InterruptedException {
        node.patch("/api/workers", size);
    }

    @Override
    public void undo() throws IOException, InterruptedException {
        node.patch("/api/workers", sizeBefore);
    }

    private static String text(ObjectNode size) {
        StringBuilder text = new StringBuilder();
        size.properties()
                .forEach(each -> text.append(text.isEmpty() ? "" : " ")
                        .append(each.getKey())
                        .append(' ')
                        .append(each.getValue().asString()));
        return text.toString();
    }
}
