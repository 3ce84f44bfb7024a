"""A real Home Assistant that discovers a table at a broker. Run by a Python that has the package `homeassistant`:

    python home_assistant.py FOLDER PORT SECONDS

It starts a Home Assistant in the folder, validates the discovery message that the broker keeps with the schemas of Home
Assistant itself, connects it to the broker, and prints a line of JSON: its version, what the schemas refuse, the state
of every entity of MQTT after so many seconds, and each state of the event entity.
"""

import asyncio
import importlib
import json
import sys
import warnings
from pathlib import Path
from typing import Any

from homeassistant import bootstrap, const, runner
from homeassistant.components.mqtt.schemas import DEVICE_DISCOVERY_SCHEMA, SHARED_OPTIONS
from homeassistant.helpers import entity_registry
from paho.mqtt import subscribe


def refused(port: int) -> list[str]:
    """Return what the schemas refuse of the discovery message that the broker keeps."""
    message = subscribe.simple("homeassistant/device/+/config", hostname="127.0.0.1", port=port, qos=1)
    config = json.loads(message.payload)
    found = []
    try:
        DEVICE_DISCOVERY_SCHEMA(config)
    except Exception as error:  # voluptuous.Invalid, which is no dependency of the project
        found.append(f"device: {error}")
    shared = {key: config[key] for key in (*SHARED_OPTIONS, "qos", "device", "origin") if key in config}
    for key, component in config["components"].items():
        platform = importlib.import_module(f"homeassistant.components.mqtt.{component['platform']}")
        strict = {name for name in component if name != "platform"}
        try:
            taken = platform.DISCOVERY_SCHEMA({**shared, **{name: component[name] for name in strict}})
            found += [f"{key}: {name} is unknown" for name in strict - {*taken}]
        except Exception as error:
            found.append(f"{key}: {error}")
    return found


async def discovered(folder: Path, port: int, seconds: float) -> dict[str, Any]:
    """Start a Home Assistant and return what it knows after so many seconds."""
    (folder / "configuration.yaml").write_text("homeassistant:\n  name: test\nhttp:\n  server_port: 18123\n")
    config = runner.RuntimeConfig(config_dir=str(folder), skip_pip=True, log_no_color=True, log_file="ha.log")
    hass = await bootstrap.async_setup_hass(config)
    assert hass is not None
    await hass.async_start()
    found = await hass.async_add_executor_job(refused, port)
    flow = await hass.config_entries.flow.async_init("mqtt", context={"source": "user"})
    answers = {"broker": "127.0.0.1", "port": port}
    flow = await hass.config_entries.flow.async_configure(flow["flow_id"], answers)
    assert flow["type"] == "create_entry", flow
    events: list[dict[str, Any]] = []

    def note(event: Any) -> None:
        new = event.data["new_state"]
        if new is not None and new.entity_id.startswith("event."):
            events.append({key: new.attributes.get(key) for key in ("event_type", "name", "rgb", "right")})

    hass.bus.async_listen("state_changed", note)
    await asyncio.sleep(seconds)
    ours = [entry for entry in entity_registry.async_get(hass).entities.values() if entry.platform == "mqtt"]
    states = {entry.entity_id: state.state for entry in ours if (state := hass.states.get(entry.entity_id))}
    await hass.async_stop()
    return {
        "version": const.__version__,
        "refused": found,
        "states": states,
        "events": [event for event in events if event["event_type"]],
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    folder, port, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    print(json.dumps(asyncio.run(discovered(folder, port, seconds))))
