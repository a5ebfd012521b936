"""A headless Chromium, with what the tests of the page need from it."""
import json
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait


class Browser:
    def __init__(self, base):
        self.base = base
        self.urls = []
        options = webdriver.ChromeOptions()
        # Containers often have a small /dev/shm.
        for argument in (
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1400"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        service = webdriver.ChromeService("/usr/bin/chromedriver")
        options.binary_location = "/usr/bin/chromium"
        self.driver = webdriver.Chrome(options=options, service=service)

    def close(self):
        self.driver.quit()

    def open(self, path="/"):
        self.driver.get(self.base + path)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((node) => node.innerText).join('\\n')", selector)

    def wait(self, what, condition, seconds=10):
        """Waits until the condition holds, and returns its value."""
        try:
            return WebDriverWait(
                self.driver, seconds, poll_frequency=0.02, ignored_exceptions=[StaleElementReferenceException]
            ).until(lambda _: condition())
        except Exception as error:
            raise AssertionError(f"{what}: not within {seconds} s; the page shows:\n{self.text('body')}") from error

    def wait_for_text(self, selector, text, seconds=10):
        return self.wait(f"{text!r} in {selector}", lambda: text in self.text(selector), seconds)

    def type(self, *keys):
        """Types into the focused element."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def media(self, **features):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})

    def errors(self):
        """Returns the errors and warnings in the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """Returns the URLs that have been requested."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.urls.append(message["params"]["request"]["url"])
        return self.urls

    def is_settled(self):
        """Whether the URL has not changed for half a second."""
        now, before = time.monotonic(), getattr(self, "settled", (0, None))
        if before[1] != self.driver.current_url:
            self.settled = (now, self.driver.current_url)
        return now - self.settled[0] > 0.5

    def record_events(self):
        """Records the events that pages receive, from the next page on."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            window.receivedEvents = [];
            window.EventSource = class extends EventSource {
              constructor(...parameters) {
                super(...parameters);
                this.addEventListener("message", (message) => {
                  const { seq } = JSON.parse(message.data);
                  if (seq !== undefined) window.receivedEvents.push(seq);
                });
              }
            };
        """})

    def events(self):
        """Returns the sequence numbers of the received events."""
        return self.driver.execute_script("return window.receivedEvents")

    def screenshot(self, path):
        self.driver.save_screenshot(path)


__all__ = ["Browser", "By", "Keys", "Select"]
