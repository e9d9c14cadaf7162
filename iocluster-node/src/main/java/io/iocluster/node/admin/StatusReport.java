package io.iocluster.node.admin;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The content of {@code /api/status}. Immutable.
 *
 * @param sections the features' fields, in output order
 * @param tokenRequired whether {@code admin.token} is set
 */
public record StatusReport(NodeControl node, List<StatusSection> sections, boolean tokenRequired) {

    public StatusReport {
        sections = List.copyOf(sections);
    }

    /** Returns the current status. */
    public ObjectNode json() {
        ObjectNode status = StatusJson.of(node.id(), node.uptime(), node.status());
        sections.forEach(section -> status.set(section.field(), section.json().get()));
        return status.put("tokenRequired", tokenRequired);
    }
}
